import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../package/entries.ts';
import type { ImageConfig } from './oci-layout.ts';

/** How the image is started: what the last stage of the Dockerfile says of it. */
export function configOfDockerfile(): ImageConfig {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const argumentOf = (instruction: string) => new RegExp(`^${instruction} +(.*)$`, 'm').exec(stage)![1]!;
  return {
    Entrypoint: JSON.parse(argumentOf('ENTRYPOINT')),
    Cmd: JSON.parse(argumentOf('CMD')),
    Env: pairs(argumentOf('ENV')).map(([name, value]) => `${name}=${value}`),
    WorkingDir: argumentOf('WORKDIR'),
    User: argumentOf('USER'),
    ExposedPorts: { [`${argumentOf('EXPOSE')}/tcp`]: {} },
    Labels: Object.fromEntries(pairs(argumentOf('LABEL'))),
  };
}

/** `a=1 b="two words"` */
const pairs = (text: string): readonly (readonly [string, string])[] =>
  [...text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S+))/g)].map(([, name, quoted, plain]) => [
    name!,
    quoted ?? plain!,
  ]);

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { nodePackage, PREFERRED } from '../../runtime/node-runtime.mjs';
import { runNpm } from '../run-npm.mjs';
import { type ImagePlatform, PLATFORMS } from './platforms.ts';

const run = promisify(execFile);

/** Puts Node where the official images have it, with its licence. The binary comes from npm, as that of a checkout. */
export async function makeNode(root: string, platform: ImagePlatform, scratch: string): Promise<void> {
  const { cpu, node: digest } = PLATFORMS[platform];
  const name = nodePackage({ platform: 'linux', arch: cpu });
  runNpm(`fetching Node ${PREFERRED} for ${platform}`, [
    ...['pack', `${name}@${PREFERRED}`],
    ...['--pack-destination', scratch],
  ]);
  const archive = join(scratch, `${name}-${PREFERRED}.tgz`);
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (found !== digest)
    throw new Error(
      `${name}@${PREFERRED}: expected ${digest}, got ${found}.\nAfter a change of PREFERRED, set it in scripts/image/platforms.ts.`,
    );
  const target = join(root, 'usr/local');
  mkdirSync(target, { recursive: true });
  await run('tar', [
    ...['--extract', `--file=${archive}`, `--directory=${target}`, '--strip-components=1'],
    ...['package/bin/node', 'package/LICENSE'],
  ]);
}

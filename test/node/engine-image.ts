import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  clusterPaths,
  type ImageConfig,
  installLibraries,
  run,
  writeImage,
} from '@signalbox/sandbox/real-node';
import { imageFiles, ROOT } from '../deploy/manifests.ts';
import { layerOf, PATH } from './images.ts';

/**
 * The image that the Dockerfile makes: the files that .dockerignore lets in, the packages that `npm ci --omit=dev` leaves,
 * and how it is started. Only Node and what is below it are this machine's. Gives its archive.
 */
export async function makeEngineImage(name: string, cluster: string): Promise<string> {
  const { layers } = clusterPaths(cluster);
  const root = join(layers, 'engine');
  const app = join(root, 'app');
  rmSync(root, { recursive: true, force: true });
  for (const file of [...imageFiles(), ...runtimePackages()]) copy(file, app);
  await run(process.execPath, [join(app, 'worker/prebuild.ts')]);
  makeEvidenceFolder(root);
  await installLibraries(root, join(app, core()));
  const parts = ['base', 'node', 'engine'].map((part) => layerOf(layers, part));
  const file = join(layers, 'engine-image.tar');
  await writeImage({ name, layers: await Promise.all(parts), config: configOfDockerfile() }, file);
  return file;
}

/** Temporal's core for this machine. */
const core = () => {
  const processor = process.arch === 'x64' ? 'x86_64' : 'aarch64';
  return `node_modules/@temporalio/core-bridge/releases/${processor}-unknown-linux-gnu/index.node`;
};

function copy(file: string, app: string): void {
  const from = join(ROOT, file);
  if (existsSync(from))
    cpSync(from, join(app, file), { recursive: true, verbatimSymlinks: true, filter: isForLinux });
}

const isForLinux = (path: string) => !/\/releases\/[^/]+-(apple-darwin|pc-windows-msvc)$/.test(path);

function runtimePackages(): string[] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const packages = Object.entries<{ readonly dev?: boolean }>(lock.packages);
  // What is below a package comes with it.
  return packages.flatMap(([path, { dev }]) =>
    /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev ? [path] : [],
  );
}

function makeEvidenceFolder(root: string): void {
  const folder = join(root, 'var/lib/signalbox/evidence');
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o1777);
}

/** What the last stage says of the image itself. */
function configOfDockerfile(): ImageConfig {
  const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const stage = text.slice(text.lastIndexOf('\nFROM '));
  const argumentOf = (instruction: string) => new RegExp(`^${instruction} +(.*)$`, 'm').exec(stage)![1]!;
  return {
    Entrypoint: JSON.parse(argumentOf('ENTRYPOINT')),
    Cmd: JSON.parse(argumentOf('CMD')),
    Env: [PATH, ...argumentOf('ENV').split(/\s+/)],
    WorkingDir: argumentOf('WORKDIR'),
    User: argumentOf('USER'),
  };
}

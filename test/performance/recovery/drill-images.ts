import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  clusterPaths,
  findProgram,
  installLibraries,
  installProgram,
  makeRootFolder,
  PAUSE_IMAGE,
  run,
} from '@signalbox/sandbox/real-node';
import { ROOT } from '../../deploy/manifests.ts';
import { HAS_A_SHELL, layerOf, PATH_OF_IMAGES, PAUSES, writeImage } from '../../node/images.ts';

/** What the init container of the manifests calls, which busybox has not. */
const TOOLS = ['getent'];
const PROGRAM = 'test/performance/recovery/program.py';

/** Makes the images that the manifests of a drill name, of this machine's Python and tools: there is no registry. */
export async function makeDrillImages(cluster: string): Promise<void> {
  const { images, layers } = clusterPaths(cluster);
  for (const folder of [images, layers]) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }
  await makeRootFolder(join(layers, 'base'));
  await installPython(join(layers, 'python'));
  for (const tool of TOOLS) await installProgram(join(layers, 'python'), findProgram(tool)!);
  mkdirSync(join(layers, 'program/signalbox', dirname(PROGRAM)), { recursive: true });
  cpSync(join(ROOT, PROGRAM), join(layers, 'program/signalbox', PROGRAM));
  const [base, python, program] = [
    await layerOf(layers, 'base'),
    await layerOf(layers, 'python'),
    await layerOf(layers, 'program'),
  ];
  const runsPython = { Cmd: ['python3'], Env: [PATH_OF_IMAGES], WorkingDir: '/signalbox' };
  await writeImage(join(images, 'pause.tar'), PAUSE_IMAGE, [base], PAUSES);
  await writeImage(join(images, 'alpine.tar'), 'docker.io/library/alpine:3.10', [base, python], HAS_A_SHELL);
  await writeImage(
    join(images, 'python.tar'),
    'docker.io/library/python:3.11',
    [base, python, program],
    runsPython,
  );
}

/** Adds this machine's Python with its own modules, where it looks for them. */
async function installPython(root: string): Promise<void> {
  const ask = 'import sys, sysconfig; print(sys.executable, sysconfig.get_path("stdlib"), sep="\\n")';
  const [executable = '', modules = ''] = (await run('python3', ['-c', ask])).trim().split('\n');
  await installProgram(root, executable, 'python3');
  cpSync(modules, join(root, modules), {
    recursive: true,
    filter: (path) => !/\/(site-packages|dist-packages|test|idlelib|__pycache__)$/.test(path),
  });
  for (const library of await sharedObjectsIn(modules)) await installLibraries(root, library);
}

const sharedObjectsIn = async (folder: string): Promise<string[]> =>
  (await run('find', [join(folder, 'lib-dynload'), '-name', '*.so'])).split('\n').filter(Boolean);

// Prepares a fresh clone: a suitable Node, and the libraries of package-lock.json. Safe to run at any time and
// concurrently; takes milliseconds if there is nothing to do.
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { acquireLock } from '../runtime/lock.mjs';
import { isNewEnough, projectNode, ROOT } from '../runtime/node-runtime.mjs';
import { areDependenciesCurrent, installDependencies } from './dependencies.mjs';
import { installNode } from './install-node.mjs';

/** Sets up what is missing and returns the path of the Node that runs signalbox. */
export async function setUp() {
  if (findNode() === undefined || !(await areDependenciesCurrent())) await doSetUp();
  return findNode();
}

/** Prefers the Node of this process if it is new enough. */
const findNode = () => (isNewEnough(process.versions.node) ? process.execPath : projectNode());

async function doSetUp() {
  const home = join(ROOT, '.signalbox');
  await mkdir(home, { recursive: true });
  const release = await acquireLock(join(home, 'setup.lock'), (holder) =>
    console.error(`another set-up of this checkout (pid ${holder}) is running: waiting for it`),
  );
  try {
    // Check again: the previous owner of the lock may have finished the set-up.
    if (findNode() === undefined) await installNode();
    if (!(await areDependenciesCurrent())) await installDependencies();
  } finally {
    await release();
  }
}

const isEntry = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (isEntry) {
  try {
    const node = await setUp();
    console.log(`ready: Node at ${node}`);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

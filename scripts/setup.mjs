// Makes a fresh clone runnable: a Node that is new enough, and the libraries of package-lock.json. Safe to run at any
// time, by several at once, and over in milliseconds when there is nothing to do.
import { realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areDependenciesCurrent, installDependencies } from './dependencies.mjs';
import { installNode } from './install-node.mjs';
import { acquireLock } from './lock.mjs';
import { isNewEnough, projectNode, ROOT } from './node-runtime.mjs';
import { explain } from './setup-errors.mjs';

/** Gives the path of the Node to run signalbox with. */
export async function setUp() {
  if (findNode() === undefined || !(await areDependenciesCurrent())) await doSetUp();
  return findNode();
}

/** This process's own, if it is new enough, so that whoever brings one keeps it. */
const findNode = () => (isNewEnough(process.versions.node) ? process.execPath : projectNode());

async function doSetUp() {
  const home = join(ROOT, '.signalbox');
  await mkdir(home, { recursive: true });
  const release = await acquireLock(join(home, 'setup.lock'));
  try {
    // Looked at again: whoever held the lock before may have done it all.
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
    console.error(explain(error));
    process.exitCode = 1;
  }
}

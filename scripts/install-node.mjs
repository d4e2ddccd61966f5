import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { MINIMUM, NODE_HOME, nodePackage, PREFERRED, projectNode } from '../runtime/node-runtime.mjs';
import { runNpm } from './run-npm.mjs';

/** Installs Node from the npm registry, the only place that is known to be reachable. */
export async function installNode() {
  await mkdir(NODE_HOME, { recursive: true });
  const wanted = `${nodePackage()}@${PREFERRED}`;
  const flags = ['--prefix', NODE_HOME, '--no-save', '--no-package-lock', '--ignore-scripts'];
  const step = `installing Node ${PREFERRED} for this checkout (the machine has ${process.versions.node}; ${MINIMUM} or later is needed)`;
  runNpm(step, ['install', ...flags, wanted]);
  const node = projectNode();
  if (node && runs(node)) return;
  throw new Error(
    `The Node of the package ${wanted} does not run on this machine.\nInstall Node ${MINIMUM} or later yourself and put it first on PATH.`,
  );
}

function runs(node) {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim() === `v${PREFERRED}`;
  } catch {
    return false;
  }
}

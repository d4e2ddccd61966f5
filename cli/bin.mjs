#!/usr/bin/env node
// Runs on Node 18 and later. If this Node is too old for the project, runs the project's own Node instead.
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isNewEnough, MINIMUM, projectNode, runNode } from '../scripts/node-runtime.mjs';

const ownNode = isNewEnough(process.versions.node) ? undefined : projectNode();

if (isNewEnough(process.versions.node)) {
  module.enableCompileCache?.();
  silenceTypeStripping();
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
} else if (ownNode) {
  process.exitCode = await runNode(ownNode, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
} else {
  console.error(
    `error: signalbox needs Node ${MINIMUM} or later; this is ${process.versions.node}.\n` +
      'Run `node scripts/setup.mjs` once: it installs one for this checkout only.',
  );
  process.exitCode = 1;
}

/** Hides only the warning of Node 22 that running TypeScript is experimental. */
function silenceTypeStripping() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes('Type Stripping')) emitWarning.call(process, warning, ...rest);
  };
}

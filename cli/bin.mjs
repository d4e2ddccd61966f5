#!/usr/bin/env node
// Runs on any Node from 18 on: an older one than the project needs hands over to the project's own.
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
    `error: signalbox needs Node ${MINIMUM} or later, and this is ${process.versions.node}.\n` +
      'Run `node scripts/setup.mjs` once: it installs one for this checkout only.',
  );
  process.exitCode = 1;
}

/** Node 22 calls running TypeScript experimental; all other warnings stay. */
function silenceTypeStripping() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!String(warning).includes('Type Stripping')) emitWarning.call(process, warning, ...rest);
  };
}

#!/usr/bin/env node
// Runs on Node 18 and later. If this Node is too old for the project, runs the project's own Node instead.
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNewEnough, MINIMUM, projectNode, runNode } from '../runtime/node-runtime.mjs';

// With `import`, all of it is loaded for the names that it exports: 4 ms of each command.
const { existsSync } = module.createRequire(import.meta.url)('node:fs');

/** Words of command lines that print stacks, or run for long and log them. */
const STACKS_MATTER = ['--debug', 'up', 'worker', '__worker', 'watcher', 'bridge', 'notifier'];

const ownNode = isNewEnough(process.versions.node) ? undefined : projectNode();

if (isNewEnough(process.versions.node)) {
  silenceExperiments();
  const { main } = await load();
  await main(process.argv.slice(2));
} else if (ownNode) {
  process.exitCode = await runNode(ownNode, [fileURLToPath(import.meta.url), ...process.argv.slice(2)]);
} else {
  console.error(
    `error: signalbox needs Node ${MINIMUM} or later; this is ${process.versions.node}.\n${newerNode()}`,
  );
  process.exitCode = 1;
}

function newerNode() {
  const isCheckout = existsSync(new URL('../scripts/setup.mjs', import.meta.url));
  return isCheckout
    ? 'Run `node scripts/setup.mjs` once: it installs one for this checkout only.'
    : 'Install a newer one: https://nodejs.org.';
}

/** The published package has a bundle instead of the sources (docs/decisions/0029). Where both are, the sources are newer. */
async function load() {
  const sources = new URL('./main.ts', import.meta.url);
  if (existsSync(sources)) {
    module.enableCompileCache();
    return import(sources.href);
  }
  const bundle = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
  module.enableCompileCache(codeFolder());
  // Where that cannot be written, Node's own folder may.
  if (module.getCompileCacheDir() === undefined) module.enableCompileCache();
  // Reading the maps of all bundled packages would take longer than some commands.
  if (STACKS_MATTER.some((word) => process.argv.includes(word))) {
    process.setSourceMapsEnabled(true);
    // Not `import`, which parses CommonJS once more for the names of its exports.
    return module.createRequire(bundle)(bundle);
  }
  const { loadBundle } = await import('../runtime/code-cache.mjs');
  const [first = ''] = process.argv.slice(2);
  return loadBundle(bundle, /^[a-z][a-z-]*$/.test(first) ? first : undefined);
}

/** Where compiled code is kept, unless NODE_COMPILE_CACHE names another folder; undefined: where Node keeps it. */
function codeFolder() {
  const { XDG_CACHE_HOME, HOME } = process.env;
  const caches = XDG_CACHE_HOME || (HOME && join(HOME, '.cache'));
  // Node tries for ever to make a folder where the system says of each that its parent is missing, as below /proc.
  return caches && existsSync(dirname(caches)) ? join(caches, 'signalbox', 'code') : undefined;
}

/** Hides only two warnings: that running TypeScript is experimental, in Node 22, and that code-cache.mjs lets bundles import. */
function silenceExperiments() {
  const { emitWarning } = process;
  process.emitWarning = (warning, ...rest) => {
    if (!/Type Stripping|USE_MAIN_CONTEXT_DEFAULT_LOADER/.test(warning))
      emitWarning.call(process, warning, ...rest);
  };
}

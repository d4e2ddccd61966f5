// node scripts/run.mjs ENTRY ARGS...: sets up what is missing, then runs ENTRY, a .ts file, with a suitable Node.
// Forwards signals to it and returns its exit code.
import { resolve } from 'node:path';
import { ROOT, runNode } from '../runtime/node-runtime.mjs';
import { setUp } from './setup.mjs';

const [entry, ...args] = process.argv.slice(2);
if (entry === undefined) {
  console.error('usage: node scripts/run.mjs ENTRY ARGS...');
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await run(entry, args);
  } catch (error) {
    console.error(`error: ${error.message}`);
    process.exitCode = 1;
  }
}

async function run(name, rest) {
  const node = await setUp();
  return runNode(node, ['--disable-warning=ExperimentalWarning', resolve(ROOT, name), ...rest]);
}

import { runOnSandboxes } from './on-sandboxes.ts';

/**
 * `npm run test:release`: what only a release needs (vitest.config.mjs): what is published, as users have it, and what takes
 * long. Arguments go to vitest, e.g. a path.
 */
const RELEASE = { name: 'release', args: ['--project=release'] };

process.exitCode = await runOnSandboxes({ pass: RELEASE }, process.argv.slice(2));

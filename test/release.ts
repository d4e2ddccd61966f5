import { runOnSandboxes } from './on-sandboxes.ts';

/**
 * `npm run test:release`: what only a release needs (jest.config.mjs): what is published, as users have it.
 * Arguments go to jest, e.g. a path.
 */
const RELEASE = { name: 'release', projects: ['release'] };

process.exitCode = await runOnSandboxes({ pass: RELEASE }, process.argv.slice(2));

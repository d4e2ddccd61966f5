import { runOnSandboxes } from './on-sandboxes.ts';

/**
 * `npm run test:release`: what is published, as users have it: the packages of npm and Python, the sandbox, the commands of
 * README and documentation, the demo and the examples. Arguments go to vitest, e.g. a path.
 */
const RELEASE = { name: 'release', args: ['--project=release'] };

process.exitCode = await runOnSandboxes({ pass: RELEASE }, process.argv.slice(2));

import { runOnSandboxes } from './on-sandboxes.ts';
import { namesFiles } from './pass.ts';
import { UNIT } from './unit-tests.ts';

/**
 * `npm test`: the unit tests, then those that start programs and the scenarios, without the ones that only a release needs
 * or that take long. Arguments go to jest; a path may name any of them.
 */
const given = process.argv.slice(2);
const pass = {
  name: 'scenarios',
  projects: namesFiles(given) ? ['scenarios', 'release', 'long-scenarios'] : ['scenarios'],
};

process.exitCode = await runOnSandboxes({ first: [UNIT], pass }, given);

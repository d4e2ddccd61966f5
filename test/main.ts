import { runOnSandboxes } from './on-sandboxes.ts';
import { UNIT } from './unit-tests.ts';

/** `npm test`: the unit tests, then those that start programs and the scenarios. Arguments go to vitest, e.g. a path. */
const SCENARIOS = { name: 'scenarios', args: ['--project=scenarios'] };

process.exitCode = await runOnSandboxes({ first: [UNIT], pass: SCENARIOS }, process.argv.slice(2));

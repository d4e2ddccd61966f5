import { runPass, summarize } from './pass.ts';
import { UNIT } from './unit-tests.ts';

/** `npm run test:unit`: the tests that start no servers and no programs, in less than a minute. Arguments go to jest, e.g. a path. */
process.exitCode = summarize(await runPass(UNIT, process.argv.slice(2)));

import { randomInt } from 'node:crypto';

/** The pairs of `npm test`, many times as many, and others in each run. */
process.env.SIGNALBOX_PAIRS ??= '5000';
process.env.SIGNALBOX_PAIR ??= String(randomInt(2 ** 31 - 1));
await import('../pairs/pairs.scenario.test.ts');

import { randomInt } from 'node:crypto';

/** The random sequences of `npm run test:unit`, 100 times as many of them, and others in each run. */
process.env.SIGNALBOX_TIMES ??= '100';
process.env.SIGNALBOX_WALK ??= String(randomInt(2 ** 31 - 1));
await import('../machines/model-cluster.test.ts');
await import('../machines/random-walk.test.ts');

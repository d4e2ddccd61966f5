import { randomInt } from 'node:crypto';

/** The random days of `npm run test:unit`, 500 times as many of them, and others in each run. */
process.env.SIGNALBOX_TIMES ??= '500';
process.env.SIGNALBOX_LANE_DAY ??= String(randomInt(2 ** 31 - 1));
await import('../queue/lanes/random-days.test.ts');
await import('../watcher/lanes/random-leaders.test.ts');

/** The random sequences of `npm run test:unit`, 25 times as many of them. */
process.env.SIGNALBOX_WALKS ??= '100000';
await import('../machines/model-cluster.test.ts');
await import('../machines/random-walk.test.ts');

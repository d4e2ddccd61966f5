/** The random sequences of `npm run test:unit`, ten times as many of them. */
process.env.SIGNALBOX_WALKS ??= '100000';
await import('../machines/model-cluster.test.ts');
await import('../machines/random-walk.test.ts');

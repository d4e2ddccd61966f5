/** The property tests of `npm run test:unit` that search most, with many times as many tries, and others in each run. */
process.env.SIGNALBOX_TIMES ??= '40';
await import('../contracts/remedies.test.ts');
await import('../explain/random-clusters.test.ts');
await import('../explain/random-topology.test.ts');
await import('../queue/random-days.test.ts');
await import('../record/index/update-index.test.ts');
await import('../record/log/append.test.ts');
await import('../record/log/proofs.test.ts');
await import('../record/log/signed-note.test.ts');
await import('../record/verify/prove-leaf.test.ts');
await import('../record/verify/verify-store.test.ts');

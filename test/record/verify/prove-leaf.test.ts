import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { appendToLog } from '../../../record/log/append.ts';
import { proveLeaf, verifyLeafProof } from '../../../record/verify/prove-leaf.ts';
import { TIMES } from '../../times.ts';
import { aLeaf, aSigner, someLeaves } from '../log/a-log.ts';
import { MemoryStore } from '../log/memory-store.ts';

const signer = aSigner();
const keys = signer.keys.map(({ verifier }) => verifier);

describe('a proof of one leaf', () => {
  it('is valid for each leaf, with the key alone', async () => {
    const store = new MemoryStore();
    for (const count of [1, 2, 5, 300]) {
      await appendToLog(store, signer, someLeaves(count));
      const proof = await proveLeaf(store, aLeaf(count - 1).folder);
      expect(verifyLeafProof(Buffer.from(proof!), keys)).toMatchObject({
        ...{ leaf: aLeaf(count - 1), index: count - 1 },
        log: { size: count },
      });
    }
  });

  it('is invalid with any changed byte', async () => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(20));
    const proof = Buffer.from((await proveLeaf(store, aLeaf(13).folder))!);
    const isRefused = (place: number, by: number) => {
      const changed = Buffer.from(proof);
      changed[place]! ^= by;
      expect(() => verifyLeafProof(changed, keys)).toThrow();
    };
    fc.assert(fc.property(fc.nat(proof.length - 1), fc.integer({ min: 1, max: 255 }), isRefused), {
      numRuns: 500 * TIMES,
    });
  });

  it('does not exist for an archive that is not in the log', async () => {
    const store = new MemoryStore();
    await appendToLog(store, signer, someLeaves(2));
    expect(await proveLeaf(store, aLeaf(2).folder)).toBeUndefined();
  });
});

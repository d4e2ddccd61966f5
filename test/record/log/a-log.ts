import { generateKeyPairSync } from 'node:crypto';
import { LEAF_SCHEMA, type LogLeaf } from '../../../record/archive/log-leaf.ts';
import { sha256 } from '../../../record/ledger/chain.ts';
import { type LogSigner, signerOf } from '../../../record/log/signer.ts';

export const ORIGIN = 'signalbox.example/archive/test';

export const aPrivateKey = (): string =>
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;

export const aSigner = (pem = aPrivateKey(), origin = ORIGIN): LogSigner =>
  signerOf(pem, { origin, location: 'a test' });

export const aLeaf = (number: number): LogLeaf => ({
  schema: LEAF_SCHEMA,
  folder: `jobs/namespace=ml/day=2026-11-23/train-${number}`,
  workflowId: `job/ml/train-${number}`,
  firstRunId: `run-${number}`,
  job: sha256(`job ${number}`),
  ledger: { entries: number, hash: sha256(`ledger ${number}`) },
});

export const someLeaves = (count: number, from = 0): LogLeaf[] =>
  Array.from({ length: count }, (_, place) => aLeaf(from + place));

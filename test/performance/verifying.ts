import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileArchiveStore } from '../../record/archive/file-archive-store.ts';
import { appendToLog } from '../../record/log/append.ts';
import type { StoreFinding } from '../../record/verify/verification.ts';
import { verifyStore } from '../../record/verify/verify-store.ts';
import { aSigner, someLeaves } from '../record/log/a-log.ts';
import { MemoryStore } from '../record/log/memory-store.ts';
import { aStore } from '../record/verify/a-store.ts';

/** `npm run bench:verify [ARCHIVES]`: how long it takes to verify a directory of archives, and to append to a long log. */
const ARCHIVES = Number(process.argv[2] ?? 10_000);
const BATCH = 500;

await verifying();
await appending();

async function verifying(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'signalbox-verify-'));
  try {
    const batches = Array.from({ length: Math.ceil(ARCHIVES / BATCH) }, () => BATCH);
    const { store, signer } = await aStore(batches);
    for (const [key, bytes] of store.files) {
      await mkdir(dirname(join(directory, key)), { recursive: true });
      await writeFile(join(directory, key), bytes);
    }
    for (let run = 1; run <= 3; run += 1) await verifyOnce(new FileArchiveStore(directory), signer);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function verifyOnce(store: FileArchiveStore, signer: ReturnType<typeof aSigner>): Promise<void> {
  const findings: StoreFinding[] = [];
  const steps: string[] = [];
  let [last, since] = ['', performance.now()];
  const step = (name: string) => {
    if (name === last) return;
    if (last !== '') steps.push(`${last} ${seconds(performance.now() - since)}`);
    [last, since] = [name, performance.now()];
  };
  const begun = performance.now();
  const keys = signer.keys.map(({ verifier }) => verifier);
  const { archives, files, bytes } = await verifyStore({
    ...{ store, keys, progress: step },
    find: (finding) => findings.push(finding),
  });
  step('');
  const what = `${archives} archives, ${files} files, ${(bytes / 1e6).toFixed(0)} MB, ${findings.length} findings`;
  console.log(`${what}: ${seconds(performance.now() - begun)} (${steps.join(', ')})`);
}

/** A batch of 1 and of 1,000, at the end of logs of different lengths. */
async function appending(): Promise<void> {
  for (const size of [0, 1_000, 100_000]) {
    const signer = aSigner();
    const files = new Map<string, Uint8Array>();
    if (size > 0) await appendToLog(new MemoryStore(files), signer, someLeaves(size));
    let end = size;
    for (const batch of [1, 1_000]) {
      const calls = new Map<string, number>();
      const store = new MemoryStore(files, (call) => {
        calls.set(call, (calls.get(call) ?? 0) + 1);
      });
      const begun = performance.now();
      await appendToLog(store, signer, someLeaves(batch, end));
      end += batch;
      console.log(
        `${batch} leaves to a log of ${size}: ${seconds(performance.now() - begun)}, ${JSON.stringify(Object.fromEntries(calls))}`,
      );
    }
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

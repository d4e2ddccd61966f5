import { SignalboxClient } from '../../client/index.ts';

/** A step of a pipeline as users write one: submits with a key, waits, and prints the outcome. */

const [address, manifest, key] = process.argv.slice(2);

const client = await SignalboxClient.connect(
  { temporal: { address: address!, namespace: 'default' } },
  { timeout: 120_000 },
);
const job = await client.submit(JSON.parse(manifest!), { key, timeout: 120_000 });
print({ runId: job.runId, submission: job.submission });
const outcome = await job.wait();
const { phase } = outcome;
print(outcome.phase === 'Failed' ? { phase, reason: outcome.reason, failures: outcome.failures } : { phase });
await client.close();

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { recognise } from '../../progress/recognise.ts';

/** A file for each form; `not-fitted` has lines that were written after the expressions. */
const LINES = new URL('./lines/', import.meta.url);

interface Case {
  readonly line: string;
  readonly reads: Readonly<Record<string, unknown>> & { readonly kind: string; readonly step?: number };
}

describe.each(readdirSync(LINES))('%s', (file) => {
  const cases = readFileSync(new URL(file, LINES), 'utf8').trimEnd().split('\n');
  it.each(cases.map((text) => JSON.parse(text) as Case))('line %# is $reads.kind', ({ line, reads }) => {
    const { kind, secondsPerStep, ...fields } = reads;
    const reading = recognise(line);
    if (kind === 'nothing') expect(reading).toBeUndefined();
    else expect(reading).toMatchObject({ kind, ...fields });
    // What is not said of the whole run must not pass for its step.
    if (kind === 'progress' && reads.step === undefined) expect(reading).not.toHaveProperty('step');
    if (typeof secondsPerStep !== 'number') return;
    const read = reading && 'secondsPerStep' in reading ? reading.secondsPerStep! : Number.NaN;
    expect(Math.abs(read / secondsPerStep - 1)).toBeLessThan(0.002);
  });
});

/** Lines of other programs, and prose with the same words. */
const NOTHING = [
  'I0105 09:00:01.000002   812 kubelet.go:2412] "SyncLoop (PLEG): event for pod" pod="ml/fit-worker-0"',
  'Collecting torch==2.9.0 (from -r requirements.txt (line 3))',
  '   ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 899.7/899.7 MB 12.1 MB/s eta 0:00:00',
  'Successfully installed torch-2.9.0 triton-3.5.0',
  'Step 3/12 : RUN pip install -r requirements.txt',
  'The next step is to compute the loss of the batch.',
  'Num examples = 52,002, Num Epochs = 3, Total optimization steps = 4,875',
  'logging_steps=10, save_steps=500, max_steps=5000, eval_loss=None',
  'NCCL INFO comm 0x55 rank 0 nranks 8 cudaDev 0 busId 1000 - Init COMPLETE',
  'val loss 3.2210',
  'step 100: val loss 3.2210',
  '127.0.0.1 - - [05/Jan/2026 09:00:01] "GET /healthz HTTP/1.1" 200 -',
  'WARNING: iteration over a 0-d tensor',
  'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB',
  '2026-01-05T09:00:01Z level=info msg="retrying" attempt=3 steps=[1 2 3]',
  'Will update 12 packages: 3 of 12 done',
  'entering all-reduce',
  '',
];

it.each(NOTHING)('%# says nothing of a step: %s', (line) => {
  expect(recognise(line)).toBeUndefined();
});

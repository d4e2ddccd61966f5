import { describe, expect, it } from '@jest/globals';
import { aManifest } from './admissions.ts';
import { JobStage } from './job-stage.ts';
import { signal } from './workflow-messages.ts';

const last = async (stage: JobStage) => (await stage.status()).timeline.at(-1)?.cause;

describe('a request by signal', () => {
  it('does what the update of its name does', async () => {
    const stage = await JobStage.running();
    await stage.flow.signals('suspend', { by: 'ana', why: 'maintenance' });
    expect(await stage.status()).toMatchObject({
      phase: 'Suspended',
      cause: { reason: 'Suspended', message: 'suspended by ana: maintenance' },
    });
    expect(stage.inProgress.toSorted()).toEqual(['recordStatus', 'suspend']);
  });

  it('needs no argument', async () => {
    const stage = await JobStage.running();
    await stage.flow.signals('stop');
    expect(await stage.state()).toBe('Finishing.CleaningUp');
  });

  it('that the job does not accept leaves an entry in the timeline, and no effect', async () => {
    const stage = await JobStage.running();
    await stage.flow.signals('resume', { by: 'ana' });
    expect(await stage.state()).toBe('Running');
    expect(await last(stage)).toBe('the signal resume is refused: the job is not suspended: Running');
    await stage.flow.signals('stop', { checkpoint: true });
    expect(await last(stage)).toMatch(/^the signal stop is refused: its policy does not say/);
    expect(stage.inProgress).toEqual([]);
  });

  it.each([
    [7, '(input): expected an object, e.g. {"by": "ana", "why": "wrong data"}, got 7'],
    [{ checkpont: true }, 'checkpont: expected one of the fields by, why, checkpoint'],
    [{ by: 7 }, 'by: expected a text, got 7'],
  ])('with a wrong argument is refused: %j', async (asked, why) => {
    const stage = await JobStage.running();
    await stage.flow.signals('stop', asked);
    expect(await last(stage)).toBe(`the signal stop is refused: ${why}`);
    expect((await stage.flow.asks('stop', asked)).refusal?.message).toBe(why);
    expect(await stage.state()).toBe('Running');
  });

  it('of an unknown name is refused', async () => {
    const stage = await JobStage.running();
    await stage.flow.signals('sotp', {});
    expect(await last(stage)).toBe('the signal sotp is refused: expected one of stop, suspend, resume');
  });

  it('that only says who asks for an update has no effect', async () => {
    const stage = await JobStage.running();
    const before = await stage.status();
    await stage.flow.signals('asked', { id: 'u-1', request: 'stop', argument: { by: 'ana' } });
    expect(await stage.status()).toEqual(before);
    expect(stage.inProgress).toEqual([]);
  });

  it('is decided in the order of arrival, also if two arrive at once', async () => {
    const stage = await JobStage.running();
    await stage.flow.receives(signal('suspend', {}), signal('resume', {}), signal('suspend', {}));
    const causes = (await stage.status()).timeline.slice(-3).map(({ cause }) => cause);
    expect(causes).toEqual(['suspended', 'resumed', 'suspended']);
  });

  it('stops a job before its admission', async () => {
    const stage = await JobStage.submit(aManifest(), () => [signal('stop', { by: 'ana' })]);
    expect(stage.outcome).toMatchObject({ phase: 'Stopped', cause: { message: 'stopped by ana' } });
  });
});

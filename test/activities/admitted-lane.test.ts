import { describe, expect, it } from '@jest/globals';
import { checkLaneOf } from '../../activities/admitted-lane.ts';
import { asFailure } from '../../activities/support/failures.ts';
import { INVALID_MANIFEST } from '../../contracts/messages.ts';
import { aManifest } from '../frameworks/manifests.ts';

const inLane = (lane: string | undefined) => ({
  ...aManifest().with('metadata.annotations', { 'signalbox.dev/policy': 'lane: { name: evening }' }).job(),
  ...(lane === undefined ? {} : { lane }),
});

const lanes = async () => ({ pools: {}, lanes: {} }) as never;

describe('a job that is to go to a lane', () => {
  it.each([
    ['that is not there, which administrators may change', 'morning', true],
    ['though it was admitted without one, which nobody can change', undefined, false],
  ])('%s, is refused', async (_, lane, mayPass) => {
    const refused = checkLaneOf({ lanes }, inLane(lane));
    await expect(refused).rejects.toMatchObject({ mayPass });
    const failure = asFailure(await refused.catch((error: unknown) => error));
    expect(failure).toMatchObject({ type: INVALID_MANIFEST, nonRetryable: true });
    expect((failure as { details: unknown[] }).details[1]).toEqual(mayPass ? { mayPass } : undefined);
  });
});

import { placeText } from '../queue-place.ts';
import { type Rule, waitReason } from '../rule.ts';

/** A job that is submitted as suspended has no pods until it is resumed; Kueue resumes those of its queues. */
export const suspension: Rule = ({ demand, cluster: { queue } }) =>
  demand.isSuspended && !queue
    ? [
        waitReason('Suspended', 'the manifest says suspend: true: the job has no pods until it is resumed', {
          remedy:
            'Remove suspend from the manifest. Or submit the job, and resume it later: `signalbox resume NAME`.',
        }),
      ]
    : [];

/** The place of a gated gang in the order, and what the watcher said of its room: it counts pods that may be placed any moment. */
export const turns: Rule = ({ cluster: { line }, own }) => {
  if (!line) return [];
  const { place, placing, liftsOnQuota } = line;
  const busy = placing ? `; ${placing} is being placed` : '';
  const when = liftsOnQuota
    ? 'in its turn, whether there is room for it or not'
    : 'when there is room for all of it';
  const said = own?.causes.find((cause) => cause.reason === 'WaitingForGang')?.message;
  return [
    waitReason('WaitingForTurn', `${placeText(place)}${busy}; its gates are lifted ${when}`, { place, said }),
  ];
};

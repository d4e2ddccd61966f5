import { REASONS } from '../../contracts/reasons.ts';
import { filledIn } from '../../contracts/remedies.ts';
import { podsText, type Rule, waitReason } from '../rule.ts';

/** A pod that is being deleted longer than this does not go by itself. */
const LONG_MS = 60_000;

/** Own pods that are being deleted and do not go, e.g. of the attempt before. */
export const leavingPods: Rule = ({ demand: { leaving }, at }) => {
  const stuck = leaving.filter(({ since }) => at - Date.parse(since) > LONG_MS);
  const [first] = stuck.toSorted((a, b) => a.since.localeCompare(b.since));
  if (!first) return [];
  const { pod, node, finalizers, since } = first;
  const why =
    finalizers.length > 0 ? `finalizers: ${finalizers.join(', ')}` : node ? `on node ${node}` : 'no node';
  const what = `${podsText(stuck.length)} of this job ${stuck.length === 1 ? 'is' : 'are'} being deleted and ${stuck.length === 1 ? 'does' : 'do'} not go, e.g. ${pod} (${why})`;
  const remedy = filledIn(REASONS.PodsTerminating.remedy, { node, job: 'NAME' });
  return [waitReason('PodsTerminating', what, { since, remedy })];
};

/** What autoscalers said of the pods. */
export const autoscalers: Rule = ({ cluster: { autoscaler } }) =>
  autoscaler.slice(0, 1).map(({ reason: said, message, at }) =>
    waitReason(
      'WaitingForNodes',
      REFUSING.has(said)
        ? 'the autoscaler adds no node for the pods'
        : 'the autoscaler adds nodes for the pods',
      {
        said: `${said}: ${message}`,
        since: at,
        ...(REFUSING.has(said) ? { who: 'administrator' as const } : {}),
      },
    ),
  );

const REFUSING: ReadonlySet<string> = new Set(['NotTriggerScaleUp', 'FailedScaleUp']);

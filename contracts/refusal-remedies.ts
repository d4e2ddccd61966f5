import { grantOfRight, missingRightIn } from './missing-right.ts';
import { type Amounts, addAmounts, readAmounts, subtractAmounts } from './pod-requests.ts';
import { amountText, ZERO } from './quantity.ts';
import { raisedQuota } from './raised-quota.ts';

/** What helps with words of the API server that refuse an object; the first row that matches says it. */
const REMEDIES: readonly (readonly [
  pattern: RegExp,
  remedy: (found: readonly string[], namespace: string) => string,
])[] = [
  [
    /(maximum|minimum) (\S+) usage per (\w+) is ([^\s,]+?)[,.]\s+(?:but (limit|request) is|No (limit|request) is specified)/,
    ([end = '', resource = '', type = '', bound = '', given, absent], namespace) => {
      if (type === 'PersistentVolumeClaim') return claimRemedy({ end, resource, bound, namespace });
      const field = `${given ?? absent}s.${resource}`;
      const of = type === 'Container' ? 'each container' : 'the pod, summed over its containers,';
      const change = absent ? 'Set' : end === 'maximum' ? 'Lower' : 'Raise';
      const side = end === 'maximum' ? 'at most' : 'at least';
      return `${change} ${field} of ${of} to ${side} ${bound}. Or an administrator changes ${SHORT[end]} of ${resource} in the LimitRange: ${described('limitrange', namespace)} shows it.`;
    },
  ],
  [
    /(\S+) max limit to request ratio per (\w+) is ([^\s,]+?),/,
    ([resource = '', type = '', ratio = ''], namespace) =>
      `Let limits.${resource} of ${type === 'Container' ? 'each container' : 'the pod'} be at most ${ratio} times its requests.${resource}. Or an administrator changes maxLimitRequestRatio in the LimitRange: ${described('limitrange', namespace)} shows it.`,
  ],
  [
    /failed quota: (\S+): must specify (.+)$/,
    ([quota = '', fields = ''], namespace) =>
      `Set ${fields.replaceAll(' for: ', ' of container ').replaceAll('; ', ', ')}. Or an administrator gives defaults in a LimitRange; ${described(`resourcequota ${quota}`, namespace)} shows the quota.`,
  ],
  [
    /violates PodSecurity "(\w+)/,
    ([level = ''], namespace) => {
      const label = `pod-security.kubernetes.io/enforce=${level === 'restricted' ? 'baseline' : 'privileged'}`;
      const how = namespace
        ? `\`kubectl label namespace ${namespace} ${label} --overwrite\``
        : `its label ${label}`;
      return `Set what the message names in securityContext of pod template and containers. Or an administrator lowers the level of the namespace: ${how}.`;
    },
  ],
  [
    /ValidatingAdmissionPolicy '?"?([\w.-]+)"?'? with binding/,
    ([policy = '']) =>
      `Change what the message names in the pod template; \`kubectl get validatingadmissionpolicy ${policy} -o yaml\` has the rule, which an administrator can change.`,
  ],
  [
    /admission webhook "([^"]+)" denied/,
    ([webhook = '']) =>
      `Change what the message names in the pod template, or ask who runs the webhook ${webhook}, which has the rule.`,
  ],
  [
    /resources\.requests: Invalid value: "?([^":]+)"?: must be (less than or equal|equal) to (\S+) limit(?: of ([^\s,\]]+))?/,
    ([request = '', relation = '', resource = '', limit], namespace) => {
      const side = relation === 'equal' ? '' : 'at most ';
      const lower = limit === undefined ? 'to its limit' : `to ${side}${limit}`;
      return `Change requests.${resource} of the container that the message names ${lower}, or its limits.${resource} to ${request}. A limit that is not in the manifest is a default of a LimitRange: ${described('limitrange', namespace)} shows it.`;
    },
  ],
  [
    /resources\.limits: Required value: Limit must be set for non overcommitable resources/,
    () =>
      'Give the container that the message names the same amount in limits as in requests, of each resource that is not cpu, memory or ephemeral-storage.',
  ],
  [
    /exceeded quota: ([^,\s]+), requested: (\S+), used: (\S+), limited: ([^\s;]+)/,
    ([quota = '', requested = '', used = '', limited = ''], namespace) =>
      exceededRemedy({ quota, namespace, requested, used, limited }),
  ],
  [
    /exceeded quota: ([^,\s]+)/,
    ([quota = ''], namespace) =>
      `Request less, free what others use of the quota, or let an administrator raise it: ${described(`resourcequota ${quota}`, namespace)} shows it.`,
  ],
  [
    /the ResourceQuota (\S+) allows the namespace/,
    ([quota = ''], namespace) =>
      `Request less, or let an administrator raise the quota: ${described(`resourcequota ${quota}`, namespace)} shows it.`,
  ],
  [
    /in namespace (\S+) because it is being terminated/,
    ([name = '']) =>
      `Submit the job to another namespace. Or wait until it is gone, of which \`kubectl describe namespace ${name}\` says what it waits for, and create it again: \`kubectl create namespace ${name}\`.`,
  ],
  [
    /namespaces? "([^"]+)" not found/,
    ([name = '']) => `Create the namespace: \`kubectl create namespace ${name}\`.`,
  ],
];

const SHORT: Readonly<Record<string, string>> = { maximum: 'max', minimum: 'min' };

const described = (object: string, namespace: string): string =>
  `\`kubectl describe ${object}${namespace && ` -n ${namespace}`}\``;

interface ClaimBound {
  readonly end: string;
  readonly resource: string;
  readonly bound: string;
  readonly namespace: string;
}

const claimRemedy = ({ end, resource, bound, namespace }: ClaimBound): string =>
  `${end === 'maximum' ? 'Lower' : 'Raise'} resources.requests.${resource} of each PersistentVolumeClaim to ${end === 'maximum' ? 'at most' : 'at least'} ${bound}. Or an administrator changes ${SHORT[end]} of ${resource} in the LimitRange: ${described('limitrange', namespace)} shows it.`;

interface Exceeded {
  readonly quota: string;
  readonly namespace: string;
  /** Each as `resource=amount`, with commas between them. */
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
}

/** The API server names only resources of which there is too little. */
function exceededRemedy({ quota, namespace, ...texts }: Exceeded): string {
  const [requested, used, limited] = [texts.requested, texts.used, texts.limited].map(amountsIn);
  const free = subtractAmounts(limited!, used!);
  const parts = [...addAmounts(requested!, used!)].map(([resource, least]) => {
    const left = free.get(resource) ?? ZERO;
    return {
      less: left.nanos > 0n ? `at most ${amountText(left)} of ${resource}` : `no more ${resource}`,
      raise: namespace ? ` ${raisedQuota({ name: quota, namespace, resource }, amountText(least))}` : '',
    };
  });
  const less = parts.map(({ less: one }) => one).join(' and ');
  return `Request ${less} until others give back what they use of the quota: ${described(`resourcequota ${quota}`, namespace)} shows it.${parts.map(({ raise }) => raise).join('')}`;
}

const amountsIn = (text: string): Amounts =>
  readAmounts(Object.fromEntries(text.split(',').map((pair) => pair.split('='))));

/** Returns what helps with a refusal, by its words; undefined for others. `namespace`: of the job; empty if it is not known. */
export function remedyOfRefusal(words: string, namespace: string): string | undefined {
  const right = missingRightIn(words);
  if (right) return grantOfRight(right);
  for (const [pattern, remedy] of REMEDIES) {
    // A message may name several faults of a kind.
    const found = [...words.matchAll(new RegExp(pattern, 'g'))];
    if (found.length > 0) return [...new Set(found.map((one) => remedy(one.slice(1), namespace)))].join(' ');
  }
  return undefined;
}

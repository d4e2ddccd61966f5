/** What helps with words of the API server that refuse an object; the first row that matches says it. */
const REMEDIES: readonly (readonly [
  pattern: RegExp,
  remedy: (found: readonly string[], namespace: string) => string,
])[] = [
  [
    /(maximum|minimum) (\S+) usage per (\w+) is ([^\s,]+?)[,.]\s+(?:but (limit|request) is|No (limit|request) is specified)/,
    ([end = '', resource = '', type = '', bound = '', given, absent], namespace) => {
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

/** Returns what helps with a refusal, by its words; undefined for others. `namespace`: of the job; empty if it is not known. */
export function remedyOfRefusal(words: string, namespace: string): string | undefined {
  for (const [pattern, remedy] of REMEDIES) {
    const found = pattern.exec(words);
    if (found) return remedy(found.slice(1), namespace);
  }
  return undefined;
}

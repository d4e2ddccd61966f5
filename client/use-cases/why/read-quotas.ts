import type { Reading } from '../../../cluster/reading.ts';
import { type KubeObject, RESOURCE_QUOTAS } from '../../../contracts/kubernetes.ts';
import { readAmounts } from '../../../contracts/pod-requests.ts';
import type { QuotaScope, QuotaView } from '../../../explain/situation.ts';
import { asFields } from '../../../language/fields.ts';

/** Reads the quotas of a namespace. */
export async function readQuotas(reading: Reading, namespace: string): Promise<readonly QuotaView[]> {
  const quotas = await reading.list(
    { resource: RESOURCE_QUOTAS, selection: { namespace } },
    'whether a quota has room is not known: ResourceQuotas may not be listed',
  );
  return quotas.map(quotaOf);
}

function quotaOf({ metadata: { name }, spec, status }: KubeObject): QuotaView {
  const { hard, scopes, scopeSelector } = asFields(spec);
  const listed = (Array.isArray(scopes) ? scopes : []).map((scopeName: string) => ({ scopeName }));
  const { matchExpressions } = asFields(scopeSelector);
  const selected = (Array.isArray(matchExpressions) ? matchExpressions : []) as readonly QuotaScope[];
  return {
    name,
    hard: readAmounts(hard),
    used: readAmounts(asFields(status).used),
    scopes: [...listed, ...selected],
  };
}

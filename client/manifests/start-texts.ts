import { parseQuantity, ZERO } from '../../contracts/quantity.ts';
import { isFields } from '../../language/fields.ts';
import { codeInMarkdown, plainInMarkdown } from '../../language/markdown-text.ts';
import { DETAILS_BYTES, SUMMARY_BYTES, shortenToBytes } from '../../language/shorten.ts';
import type { Manifest } from './named-manifest.ts';

/** What Temporal's UI and command line show of a job from its start on. It cannot change later. */
interface StartTexts {
  readonly staticSummary: string;
  /** Markdown. */
  readonly staticDetails: string;
}

interface About {
  readonly submittedBy: string;
  readonly why?: string | undefined;
}

/** A role as its shape shows it: every kind of job has some. */
interface RoleInManifest {
  readonly name: string;
  readonly replicas: number;
  readonly image: string | undefined;
  /** What each pod requests, e.g. `{ cpu: '4', 'nvidia.com/gpu': '8' }`. */
  readonly requests: Readonly<Record<string, string>>;
}

/** Returns kind, name, size, image and submitter, each within the limit that Temporal has for it. */
export function startTexts(manifest: Manifest, about: About): StartTexts {
  const roles = rolesIn(manifest);
  return {
    staticSummary: shortenToBytes(summaryText(manifest, roles, about), SUMMARY_BYTES),
    staticDetails: shortenToBytes(detailsText(manifest, roles, about), DETAILS_BYTES),
  };
}

function summaryText({ kind, metadata }: Manifest, roles: readonly RoleInManifest[], about: About): string {
  const pods = roles.reduce((sum, { replicas }) => sum + replicas, 0);
  const devices = devicesOf(roles).map(([name, count]) => `${count} ${name}`);
  const images = [...new Set(roles.flatMap(({ image }) => image ?? []))];
  const size = [pods === 1 ? '1 pod' : `${pods} pods`, ...devices].join(', ');
  return [`${kind} ${metadata.namespace}/${metadata.name}`, size, ...images, `by ${about.submittedBy}`].join(
    ' · ',
  );
}

/** Sums up extended resources, e.g. GPUs: they are what a job waits for. */
function devicesOf(roles: readonly RoleInManifest[]): [string, number][] {
  const sums = new Map<string, number>();
  for (const { replicas, requests } of roles) {
    for (const [name, quantity] of Object.entries(requests)) {
      if (name.includes('/')) sums.set(name, (sums.get(name) ?? 0) + replicas * wholeUnits(quantity));
    }
  }
  return [...sums].filter(([, count]) => count > 0);
}

/** Returns 0 for what Kubernetes refuses as a number of devices. */
function wholeUnits(quantity: string): number {
  const { nanos } = parseQuantity(quantity) ?? ZERO;
  return nanos > 0n && nanos % NANOS_OF_ONE === 0n ? Number(nanos / NANOS_OF_ONE) : 0;
}

const NANOS_OF_ONE = 1_000_000_000n;

function detailsText({ kind, metadata }: Manifest, roles: readonly RoleInManifest[], about: About): string {
  const rows = roles.map(({ name, replicas, image = '', requests }) => {
    const asked = Object.entries(requests).map(([resource, quantity]) => `${resource} ${quantity}`);
    return `| ${plainInMarkdown(name)} | ${replicas} | ${image && codeInMarkdown(image)} | ${plainInMarkdown(asked.join(', '))} |`;
  });
  const labels = Object.entries(isFields(metadata.labels) ? metadata.labels : {});
  const parts = [
    `**${plainInMarkdown(kind)}** ${codeInMarkdown(`${metadata.namespace}/${metadata.name}`)}, submitted by ${codeInMarkdown(about.submittedBy)}`,
    about.why === undefined ? '' : `**Why:** ${plainInMarkdown(about.why)}`,
    rows.length > 0
      ? ['| Role | Pods | Image | Each pod requests |', '| --- | --- | --- | --- |', ...rows].join('\n')
      : '',
    labels.length > 0
      ? `**Labels:** ${labels.map(([key, value]) => codeInMarkdown(`${key}=${value}`)).join(', ')}`
      : '',
  ];
  return parts.filter(Boolean).join('\n\n');
}

/** Works by shape only, as it must handle every kind, and manifests that will turn out to be invalid. */
function rolesIn({ spec }: Manifest): RoleInManifest[] {
  const fields = isFields(spec) ? spec : {};
  const specs = Object.entries(fields).find(([key]) => key.endsWith('ReplicaSpecs'))?.[1];
  return Object.entries(isFields(specs) ? specs : fields).flatMap(([name, role]) =>
    isFields(role) && ('template' in role || 'replicas' in role) ? [roleIn(name, role)] : [],
  );
}

function roleIn(name: string, { replicas, template }: Readonly<Record<string, unknown>>): RoleInManifest {
  const pod = isFields(template) && isFields(template.spec) ? template.spec : {};
  const containers: readonly unknown[] = Array.isArray(pod.containers) ? pod.containers : [];
  const [main] = containers.filter(isFields);
  const { limits, requests } = isFields(main?.resources) ? main.resources : { limits: {}, requests: {} };
  return {
    name,
    replicas: typeof replicas === 'number' ? replicas : 1,
    image: typeof main?.image === 'string' ? main.image : undefined,
    requests: { ...quantities(limits), ...quantities(requests) },
  };
}

const quantities = (resources: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(isFields(resources) ? resources : {}).map(([name, quantity]) => [name, String(quantity)]),
  );

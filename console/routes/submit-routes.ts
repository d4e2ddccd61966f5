import { parseAllDocuments } from 'yaml';
import { InvalidManifestError } from '../../client/errors/errors.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { jobUrl } from '../../contracts/console-address.ts';
import { errorCode } from '../../language/error-code.ts';
import { asFields, type Fields, isFields } from '../../language/fields.ts';
import { unlessLate } from '../../language/timers.ts';
import { YAML_AS_KUBECTL } from '../../language/yaml.ts';
import { redirect, type WebAnswer } from '../http/answer.ts';
import { ProblemError } from '../http/problem-error.ts';
import { refuseUnlessAllowed } from '../identity/rights.ts';
import { pageAnswer } from '../pages/layout.ts';
import { httpStatusOf, isExpected } from '../pages/problem-page.ts';
import { type CheckedManifest, submitPage } from '../pages/submit-page.ts';
import { reasonOfForm } from './action-routes.ts';
import type { ConsoleRoute, PageRequest, Tools } from './route.ts';

export const SUBMIT_ROUTES: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/submit',
    changes: true,
    answer: (_tools, { viewer, query }) => {
      const form = new URLSearchParams({ namespace: query.get('namespace') ?? '' });
      return pageAnswer(submitPage({ token: viewer.token, form }), viewer);
    },
  },
  { method: 'POST', path: '/submit', changes: true, answer: submitted },
];

async function submitted(tools: Tools, asked: PageRequest): Promise<WebAnswer> {
  const { form, viewer } = asked;
  try {
    const manifest = manifestIn(form.get('manifest') ?? '');
    const namespace = namespaceOf(manifest, tools, form);
    await refuseUnlessAllowed(tools.rights, asked.person, { verb: 'create', resource: 'jobs', namespace });
    if (form.get('do') === 'submit') return await submit(tools, asked, { manifest, namespace });
    const checked = await check(tools, { manifest, namespace });
    return pageAnswer(submitPage({ token: viewer.token, form, checked }), viewer);
  } catch (error) {
    if (!isExpected(error)) throw error;
    const shown = { token: viewer.token, form, checked: { error }, status: httpStatusOf(error) };
    return pageAnswer(submitPage(shown), viewer);
  }
}

interface Given {
  readonly manifest: Fields;
  readonly namespace: string;
}

async function submit(
  { servers, log }: Tools,
  { person, form }: PageRequest,
  { manifest, namespace }: Given,
): Promise<WebAnswer> {
  const why = reasonOfForm(form);
  const client = (await servers.client()).as(person.name);
  const job = await client.submit(manifest, { why, namespace });
  log.info({ job: job.workflowId, by: person.name, submission: job.submission }, 'submitted');
  const { namespace: of, name } = await job.summary();
  return redirect(jobUrl({ namespace: of, name }));
}

const WHY_MS = 8_000;

/** Valid, and what it would wait for; without the cluster only the first. */
async function check({ servers }: Tools, { manifest, namespace }: Given): Promise<CheckedManifest> {
  const { faults, warnings } = validateManifest(manifest, { namespace });
  if (faults.length > 0) throw new InvalidManifestError(faults);
  const asking = (async () => (await servers.client()).whyWaiting(manifest, { namespace }))();
  const why = await unlessLate(asking.catch(unlessInvalid), WHY_MS);
  return { warnings, why };
}

/** The client may be of another bundle, whose classes are others. */
function unlessInvalid(error: unknown): undefined {
  if (errorCode(error) === 'InvalidManifest') throw error;
  return undefined;
}

const namespaceOf = (manifest: Fields, { settings }: Tools, form: URLSearchParams): string => {
  const { namespace } = asFields(manifest.metadata);
  return typeof namespace === 'string'
    ? namespace
    : form.get('namespace')?.trim() || settings.namespace || 'default';
};

/** Throws `ProblemError` with the place of what is no YAML. */
function manifestIn(text: string): Fields {
  const documents = parseAllDocuments(text, { ...YAML_AS_KUBECTL, prettyErrors: true });
  const list = Array.isArray(documents) ? documents : [];
  const [broken] = list.flatMap(({ errors }) => errors);
  if (broken)
    throw new ProblemError(
      422,
      `Manifest: expected YAML or JSON, got ${broken.message}`,
      'Nothing was started.',
    );
  const values = list.map((document) => document.toJS() as unknown).filter((value) => value !== null);
  const [value, ...others] = values;
  if (others.length > 0 || !isFields(value))
    throw new ProblemError(
      422,
      `Manifest: expected one object, got ${values.length === 0 ? 'nothing' : `${values.length} documents, or another value`}.`,
      'Nothing was started.',
    );
  return value;
}

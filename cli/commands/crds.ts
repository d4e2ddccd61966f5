import { Command } from 'commander';
import { type Format, formatted, outputOption, writeData } from '../print/output.ts';
import { UsageError } from '../shell/errors.ts';

const HELP = `
With them a cluster takes jobs as custom resources, which \`signalbox bridge\` runs (docs/front-door.md). Where the definitions
of the original operators are in place, keep those. The policies need Kubernetes 1.30; those that warn
1.35, and the one that notes who wrote a resource 1.36.

Examples:
  signalbox crds | kubectl apply -f -
  signalbox crds --runtimes | kubectl apply -f -
  signalbox crds --policies | kubectl apply -f -
  signalbox crds --policies rules,requester,pod-rights
  signalbox crds -o json`;

interface Flags {
  readonly output: Format;
  readonly policies?: true | string;
  readonly runtimes?: true;
}

export const crdsCommand = (): Command =>
  new Command('crds')
    .description(
      'print the CustomResourceDefinitions of the kinds of jobs, the runtimes that come with signalbox, or the policies for resources',
    )
    .argument('[kind]', 'e.g. PyTorchJob, in any case; all kinds if absent')
    .option(
      '--policies [which]',
      'admission policies instead, by which the API server refuses faulty jobs (rules), warns of what works otherwise than it looks (warnings), notes who wrote one (requester), and refuses those of people who may not create pods (pod-rights); by default rules,warnings,requester',
    )
    .option(
      '--runtimes',
      'the ClusterTrainingRuntimes that come with signalbox instead, for programs that list them, such as Kubeflow’s SDK',
    )
    .addOption(outputOption())
    .addHelpText('after', HELP)
    .action(async (kind: string | undefined, flags: Flags) => {
      const objects = await objectsFor(kind, flags);
      const { output } = flags;
      const format = output ?? 'yaml';
      const printed =
        format === 'yaml'
          ? (await Promise.all(objects.map((one) => formatted(one, format)))).join('\n---\n')
          : await formatted({ apiVersion: 'v1', kind: 'List', items: objects }, format);
      writeData(printed, format);
    });

async function objectsFor(
  kind: string | undefined,
  { policies, runtimes }: Flags,
): Promise<readonly object[]> {
  const { ADMISSION_POLICIES, customResourceDefinitions, definitionsBesideJobs, shippedObjects } =
    await import('../../client/manifests/offline/definitions.ts');
  if (policies && runtimes)
    throw new UsageError('Policies and runtimes are printed one after the other.', {
      remedy: 'Give --policies or --runtimes.',
    });
  if (kind && (policies || runtimes))
    throw new UsageError('Policies and runtimes are for all kinds.', { remedy: 'Leave the kind out.' });
  if (runtimes) return shippedObjects();
  return policies
    ? policiesOf(ADMISSION_POLICIES, policies === true ? DEFAULT_POLICIES : policies)
    : ofKind([...customResourceDefinitions(), ...definitionsBesideJobs()], kind);
}

const DEFAULT_POLICIES = 'rules,warnings,requester';

function policiesOf(
  all: Readonly<Record<string, () => readonly object[]>>,
  names: string,
): readonly object[] {
  return names.split(',').flatMap((name) => {
    if (Object.hasOwn(all, name)) return all[name]!();
    throw new UsageError(`There is no policy ${JSON.stringify(name)}.`, {
      remedy: `The policies are ${Object.keys(all).join(', ')}; several with commas between them.`,
    });
  });
}

interface Named {
  readonly spec: { readonly names: { readonly kind: string } };
}

function ofKind<D extends Named>(all: readonly D[], kind: string | undefined): readonly D[] {
  const isWanted = (name: string) => kind === undefined || name.toLowerCase() === kind.toLowerCase();
  const definitions = all.filter(({ spec }) => isWanted(spec.names.kind));
  if (definitions.length > 0) return definitions;
  throw unknownKind(kind!, [...new Set(all.map(({ spec }) => spec.names.kind))]);
}

const unknownKind = (kind: string, kinds: readonly string[]) =>
  new UsageError(`There is no kind ${JSON.stringify(kind)}.`, {
    remedy: `The kinds are ${kinds.join(', ')}.`,
  });

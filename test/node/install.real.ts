import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { parse } from 'yaml';
import { NAMESPACE, ROOT } from '../deploy/manifests.ts';
import { PROMETHEUS_RESOURCES } from '../deploy/prometheus-resources.ts';
import { shellBlocks, yamlFiles } from '../docs/page-blocks.ts';
import { eventually } from '../eventually.ts';
import { hasPrometheus, NO_PROMETHEUS, Prometheus } from '../prometheus.ts';
import { S3_CREDENTIALS, S3Server } from '../s3-server.ts';
import { enginePods, importEngineImage, removeEngine, temporalAddress } from './engine-deployment.ts';
import { makeEngineImage } from './images.ts';
import { CLUSTER_DIR } from './nodes.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** The commands of docs/install.md, typed as they stand there. */

const ALERTS_FILE = join(ROOT, 'charts/signalbox/monitoring/alerts.yaml');
const BUCKETS = ['ml-archive', 'ml-evidence'];
const run = promisify(execFile);

describeOnNodes('docs/install.md', () => {
  let stage: RealStage;
  let s3: S3Server;
  let page: string;
  let folder: string;
  let env: Record<string, string>;
  let steps: ReadonlyMap<string, string>;

  beforeAll(async () => {
    stage = await openRealStage();
    await importEngineImage(stage, await makeEngineImage(CLUSTER_DIR));
    const { address, sandbox } = stage.nodes;
    s3 = await S3Server.open({ host: address, buckets: BUCKETS });
    page = await readFile(join(ROOT, 'docs/install.md'), 'utf8');
    steps = stepsOf(page);
    folder = await mkdtemp(join(tmpdir(), 'signalbox-install-'));
    await symlink(join(ROOT, 'charts'), join(folder, 'charts'));
    const programs = await ensurePrograms({ names: ['temporal', 'helm', 'kubectl'] });
    for (const [name, path] of Object.entries(programs)) await symlink(path, join(folder, name));
    env = {
      ...{ PATH: `${folder}:${process.env.PATH}`, HOME: folder, KUBECONFIG: sandbox.kubeconfig },
      ...{ TEMPORAL_ADDRESS: sandbox.temporalAddress, TEMPORAL_NAMESPACE: 'ml' },
      SIGNALBOX_LEASE_NAMESPACE: NAMESPACE,
      SIGNALBOX_ARCHIVE_NAME: 'signalbox.example.com/ml',
      ...{ SIGNALBOX_ARCHIVE_STORE: 's3', SIGNALBOX_ARCHIVE_BUCKET: BUCKETS[0]! },
      ...{ SIGNALBOX_EVIDENCE_STORE: 's3', SIGNALBOX_EVIDENCE_BUCKET: BUCKETS[1]! },
      ...{ SIGNALBOX_ARCHIVE_ENDPOINT: s3.endpoint, SIGNALBOX_EVIDENCE_ENDPOINT: s3.endpoint },
      ...S3_CREDENTIALS,
    };
    // What the page calls yours.
    const yours: Readonly<Record<string, string>> = {
      'registry.example.com/ml/signalbox': 'signalbox',
      'temporal-frontend.temporal:7233': temporalAddress(stage),
      'region: eu-central-1': `region: ${S3_CREDENTIALS.AWS_REGION}, endpoint: "${s3.endpoint}"`,
    };
    for (const [name, content] of yamlFiles(page))
      await writeFile(join(folder, name), withReplaced(content, yours));
    // As the Prometheus operator brings them along.
    await writeFile(
      join(folder, 'crds.json'),
      JSON.stringify({ kind: 'List', apiVersion: 'v1', items: PROMETHEUS_RESOURCES }),
    );
    await type('kubectl apply -f crds.json && kubectl wait --for=condition=Established -f crds.json');
  }, 600_000);

  afterAll(async () => {
    await removeEngine(stage);
    await type('kubectl delete -f crds.json');
    await type('kubectl delete pods,configmaps,services --selector=signalbox.dev/job -n default');
    await type('temporal operator namespace delete --namespace ml --yes');
    await s3.close();
    await rm(folder, { recursive: true });
    await stage.close();
  }, 120_000);

  const type = async (commands: string): Promise<string> => {
    const shell = `npx() { shift; "${process.execPath}" "${ROOT}/cli/bin.mjs" "$@"; }\nset -eu\nexec 2>&1\n${commands}`;
    const { stdout } = await run('sh', ['-c', shell], { cwd: folder, env, maxBuffer: 2 ** 24 }).catch(
      (error: Error & { stdout?: string }) => {
        throw new Error(`${error.message}\n${error.stdout}`, { cause: error });
      },
    );
    return stdout;
  };

  /** Types the commands of a step, and returns what they print. */
  const follow = async (heading: RegExp): Promise<string> => type(commandsOf(heading));

  const commandsOf = (heading: RegExp): string => {
    const found = [...steps].filter(([name]) => heading.test(name));
    expect(found).toHaveLength(1);
    return found[0]![1];
  };

  it('makes the namespace of Temporal, and a place for the record', async () => {
    await follow(/namespace of Temporal/);
    await follow(/place for the record/);
    expect(await readFile(join(folder, 'archive.pub'), 'utf8')).toMatch(/^signalbox\.example\.com\/ml\+/);
  });

  it('installs, and passes the tests of the release', async () => {
    const printed = await follow(/Install/);
    expect(printed.match(/Phase: +Succeeded/g)).toHaveLength(2);
    expect(printed).not.toMatch(/warning|WARNING/);
  }, 300_000);

  it('runs the first job', async () => {
    const printed = await follow(/first job/);
    expect(printed).toMatch(/rank 0 of 3, the master is first-master-0/);
    expect(printed).toMatch(/PyTorchJob default\/first +Completed/);
    expect(printed).toMatch(/s +1 +Running +all 3 pods are ready/);
  }, 120_000);

  it('says who may do what', async () => {
    expect(await follow(/Who may do what/)).toBe('yes\n');
  });

  /** Debian's Prometheus does not ask the API server itself: it reads a file that says what it would have found. */
  const withFoundPods = ({ kubernetes_sd_configs: _, ...rest }: Readonly<Record<string, unknown>>) => ({
    ...rest,
    file_sd_configs: [{ files: [join(folder, 'pods.json')], refresh_interval: '1s' }],
  });

  const findPods = async () => {
    const pods = await enginePods(stage);
    const groups = pods
      .filter(({ status }) => status?.podIP)
      .map(({ metadata, status }) => ({
        targets: [status!.podIP!],
        labels: {
          __meta_kubernetes_pod_name: metadata.name,
          __meta_kubernetes_pod_ip: status!.podIP!,
          ...Object.fromEntries(
            Object.entries(metadata.annotations ?? {}).map(([name, value]) => [
              `__meta_kubernetes_pod_annotation_${name.replace(/\W/g, '_')}`,
              value,
            ]),
          ),
        },
      }));
    await writeFile(join(folder, 'pods.json'), JSON.stringify(groups));
  };

  it('sees the first alert', async () => {
    if (!(await hasPrometheus())) throw new Error(NO_PROMETHEUS);
    const commands = commandsOf(/first alert/);
    const [monitoring, rest = ''] = split(commands, 'kubectl -n signalbox-system scale');
    await type(monitoring!);
    const { scrape_configs: scrapes } = parse(page.match(/```yaml\n(scrape_configs:[^`]*)```/)![1]!);
    const prometheus = await Prometheus.start(scrapes.map(withFoundPods), [ALERTS_FILE]);
    const ask = async (expression: string) => {
      await findPods();
      return await prometheus.query(expression);
    };
    try {
      await eventually('Prometheus sees worker and watcher', async () => {
        const parts = await ask('count by (part) (signalbox_build_info)');
        if (parts.length !== 2)
          throw new Error(`${JSON.stringify(parts)}\n${await prometheus.scrapeErrors()}`);
        return true;
      });
      const [takeAway, giveBack] = split(rest, 'kubectl -n signalbox-system scale', 2);
      await type(takeAway!);
      const firing = 'ALERTS{alertname="SignalboxNoWorker", alertstate="firing"}';
      await eventually('the alert fires', async () => (await ask(firing)).length === 1, {
        ...{ withinMs: 240_000, everyMs: 1_000 },
      });
      await type(giveBack!);
      await eventually('the alert is over', async () => (await ask(firing)).length === 0);
    } finally {
      await prometheus.stop();
    }
  }, 400_000);

  it('restores the record, and the engine', async () => {
    const [record, rest = ''] = split(commandsOf(/first restore/), 'sed');
    await eventually('the job is archived', () => type('npx signalbox get first --archived'));
    const printed = await type(record!);
    expect(printed).toMatch(/all 3 pods are ready/);
    expect(printed).toMatch(/no findings/);
    const [submitted, removed = ''] = split(rest, 'helm uninstall');
    await type(submitted!);
    await eventually('it runs', async () => / Running/.test(await type('npx signalbox get second')));
    const after = await type(removed);
    expect(after).toMatch(/second-master-0 .*Running/);
    expect(after).toMatch(/Completed/);
  }, 400_000);
});

/** Returns the shell commands of each section, by its heading, without those that the page says are not run. */
function stepsOf(page: string): ReadonlyMap<string, string> {
  return new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((section) => [section.split('\n')[0]!, shellBlocks(section).join('')]),
  );
}

/** Splits commands before the first line that begins so. */
function split(commands: string, start: string, nth = 1): readonly [string, string] {
  const lines = commands.split('\n');
  const places = lines.flatMap((line, index) => (line.startsWith(start) ? [index] : []));
  const at = places[nth - 1]!;
  return [lines.slice(0, at).join('\n'), lines.slice(at).join('\n')];
}

const withReplaced = (text: string, replacements: Readonly<Record<string, string>>) =>
  Object.entries(replacements).reduce((done, [old, now]) => done.replaceAll(old, now), text);

import { type DashboardBuilder, QueryVariableBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboard } from './dashboard.ts';
import { DATASOURCE, graph, number, quantile } from './panel.ts';

const OURS = 'job_namespace=~"$job_namespace"';

const ABOUT = {
  uid: 'signalbox-teams',
  title: 'signalbox: teams',
  description:
    'How the jobs of a namespace fare: what waits, what runs, what fails, and the GPUs that they hold.',
};

/** How the jobs of a team fare: for those who train. */
export const teamsDashboard = (): DashboardBuilder =>
  dashboard(ABOUT, {
    Now: [
      number({
        title: 'Running jobs',
        description: 'Jobs all of whose pods run.',
        queries: [[`sum(signalbox_jobs{${OURS}, phase="Running"}) or vector(0)`, 'running']],
      }),
      number({
        title: 'Waiting jobs',
        description: 'Jobs that wait for pods, nodes or the cluster.',
        queries: [
          [`sum(signalbox_jobs{${OURS}, phase=~"Pending|Starting|Restarting"}) or vector(0)`, 'waiting'],
        ],
      }),
      number({
        title: 'Longest wait',
        description: 'Since when the oldest job waits that has never run.',
        unit: 's',
        queries: [
          [`time() - min(signalbox_oldest_pending_job_timestamp_seconds{${OURS}}) or vector(0)`, 'wait'],
        ],
      }),
      number({
        title: 'GPUs',
        description: 'GPUs of pods that have a node, and of those that wait for one.',
        queries: [
          [`sum(signalbox_gpus{${OURS}}) or vector(0)`, 'held'],
          [`sum(signalbox_gpus_waiting{${OURS}}) or vector(0)`, 'waiting'],
        ],
      }),
    ],
    Jobs: [
      graph({
        title: 'Open jobs by phase',
        description: 'Jobs that have not ended.',
        queries: [[`sum by (phase) (signalbox_jobs{${OURS}})`, '{{phase}}']],
      }),
      graph({
        title: 'Why jobs wait',
        description: 'Open jobs by reason; `signalbox get JOB` says what helps.',
        queries: [[`sum by (reason) (signalbox_jobs{${OURS}, reason!="none"})`, '{{reason}}']],
      }),
      graph({
        title: 'Ended jobs',
        description: 'Jobs that ended, by phase and reason.',
        queries: [
          [
            `sum by (phase, reason) (increase(signalbox_jobs_ended_total{${OURS}}[$__rate_interval]))`,
            '{{phase}} {{reason}}',
          ],
        ],
      }),
      graph({
        title: 'Restarts',
        description: 'Restarts of pods, by failure class.',
        queries: [
          [`sum by (class) (increase(signalbox_job_restarts_total{${OURS}}[$__rate_interval]))`, '{{class}}'],
        ],
      }),
      graph({
        title: 'Jobs that make no steps',
        description: 'Running jobs whose log has told no step for longer than usual.',
        queries: [
          [
            `sum by (job_namespace) (signalbox_jobs_without_steps{${OURS}}) or vector(0)`,
            '{{job_namespace}}',
          ],
        ],
      }),
      graph({
        title: 'Jobs by team',
        description:
          'Open jobs by the label that SIGNALBOX_TEAM_LABEL of the watcher names, over all namespaces.',
        queries: [['sum by (team) (signalbox_team_jobs)', '{{team}}']],
      }),
      graph({
        title: 'Time until a job runs',
        description:
          'Medians, over all namespaces: from submission to the first run, and from a failure to the next.',
        unit: 's',
        queries: [
          [quantile(0.5, 'signalbox_job_wait_seconds', { by: 'kind' }), 'first run, {{kind}}'],
          [quantile(0.5, 'signalbox_job_recovery_seconds', { by: 'scope' }), 'restart, {{scope}}'],
        ],
      }),
    ],
    GPUs: [
      graph({
        title: 'GPUs held, by phase of the job',
        description: 'GPUs of jobs that do not run are idle: a gang is incomplete, or restarts.',
        queries: [[`sum by (phase) (signalbox_gpus{${OURS}})`, '{{phase}}']],
      }),
      graph({
        title: 'GPU hours within a day',
        description: 'What was held while a watcher led. `signalbox audit` has exact figures.',
        unit: 'h',
        queries: [
          [
            `sum by (job_namespace) (increase(signalbox_gpu_seconds_total{${OURS}}[1d])) / 3600`,
            '{{job_namespace}}',
          ],
        ],
      }),
      graph({
        title: 'Since the last progress',
        description: 'Of running jobs that report progress.',
        unit: 's',
        queries: [
          [
            `time() - max by (job_namespace, job_name) (signalbox_job_progress_timestamp_seconds{${OURS}})`,
            '{{job_namespace}}/{{job_name}}',
          ],
        ],
      }),
    ],
  }).withVariable(
    new QueryVariableBuilder('job_namespace')
      .label('Namespace')
      .datasource(DATASOURCE)
      .query('label_values({__name__=~"signalbox_jobs|signalbox_jobs_submitted_total"}, job_namespace)')
      .multi(true)
      .includeAll(true)
      .allValue('.*'),
  );

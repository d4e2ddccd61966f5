import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { dashboard } from './dashboard.ts';
import { graph, number, quantile } from './panel.ts';

const ABOUT = {
  uid: 'signalbox-operators',
  title: 'signalbox: operators',
  description: 'Whether workers, watcher and archive of signalbox do their work.',
};

/** Whether signalbox does its work: for those who run it. */
export const operatorsDashboard = (): DashboardBuilder =>
  dashboard(ABOUT, {
    Now: [
      number({
        title: 'Processes',
        description: 'Workers and watchers, by version.',
        queries: [['count by (part, version) (signalbox_build_info)', '{{part}} {{version}}']],
      }),
      number({
        title: 'Leading watchers',
        description: 'One for each installation. The others stand by.',
        queries: [['sum(signalbox_watcher_is_leader)', 'leaders']],
      }),
      number({
        title: 'Open jobs',
        description: 'Jobs that have not ended, as the leading watcher counted them last.',
        queries: [['sum(signalbox_jobs)', 'jobs']],
      }),
      number({
        title: 'Jobs without an archive',
        description: 'Ended jobs that wait for the archive, and those that could not be archived.',
        queries: [
          ['max(signalbox_archive_waiting_jobs)', 'waiting'],
          ['max(signalbox_archive_failed_jobs)', 'failed'],
        ],
      }),
    ],
    Jobs: [
      graph({
        title: 'Open jobs by phase',
        description: 'All jobs that have not ended.',
        queries: [['sum by (phase) (signalbox_jobs)', '{{phase}}']],
      }),
      graph({
        title: 'Why jobs wait',
        description: 'Open jobs by reason; docs/states.md says of each what helps.',
        queries: [['sum by (reason) (signalbox_jobs{reason!="none"})', '{{reason}}']],
      }),
      graph({
        title: 'Ended jobs',
        description: 'Jobs that ended, by phase and reason.',
        queries: [
          [
            'sum by (phase, reason) (increase(signalbox_jobs_ended_total[$__rate_interval]))',
            '{{phase}} {{reason}}',
          ],
        ],
      }),
      graph({
        title: 'Restarts',
        description: 'Restarts of pods, by scope and failure class.',
        queries: [
          [
            'sum by (scope, class) (increase(signalbox_job_restarts_total[$__rate_interval]))',
            '{{scope}} {{class}}',
          ],
        ],
      }),
    ],
    Workers: [
      graph({
        title: 'Tasks wait for a worker',
        description: 'The slowest 5 % of tasks. Add workers if it grows.',
        unit: 'ms',
        queries: [
          [quantile(0.95, 'temporal_workflow_task_schedule_to_start_latency'), 'workflow tasks'],
          [quantile(0.95, 'temporal_activity_schedule_to_start_latency'), 'activities'],
        ],
      }),
      graph({
        title: 'Free slots',
        description: 'How many more tasks the workers may run at once.',
        queries: [['sum by (worker_type) (temporal_worker_task_slots_available)', '{{worker_type}}']],
      }),
      graph({
        title: 'Jobs in memory',
        description: 'Workflows that the workers keep; others are replayed at their next event.',
        queries: [['sum(temporal_sticky_cache_size)', 'workflows']],
      }),
      graph({
        title: 'Memory',
        description: 'Resident memory of each process.',
        unit: 'bytes',
        queries: [['process_resident_memory_bytes', '{{instance}} {{process}}']],
      }),
    ],
    Watcher: [
      graph({
        title: 'Signals',
        description: 'What the watcher tells jobs, by result.',
        unit: 'ops',
        queries: [
          ['sum by (result) (rate(signalbox_watcher_signals_total[$__rate_interval]))', '{{result}}'],
        ],
      }),
      graph({
        title: 'Jobs learn of their pods',
        description: 'From a change of a pod until the workflow has its signal.',
        unit: 's',
        queries: [
          [quantile(0.5, 'signalbox_watcher_signal_delay_seconds'), 'median'],
          [quantile(0.99, 'signalbox_watcher_signal_delay_seconds'), '99 %'],
        ],
      }),
      graph({
        title: 'Pods',
        description: 'Pods that the watcher follows, by state.',
        queries: [['sum by (state) (signalbox_pods)', '{{state}}']],
      }),
      graph({
        title: 'Trouble',
        description:
          'Jobs that cannot be reached or checked, and streams from the cluster that are interrupted.',
        queries: [
          ['max(signalbox_watcher_failing_jobs)', 'jobs without a signal'],
          ['count(signalbox_watcher_stream_interrupted_seconds > 0) or vector(0)', 'streams'],
        ],
      }),
    ],
  });

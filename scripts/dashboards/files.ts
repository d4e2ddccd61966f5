import type { DashboardBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import { operatorsDashboard } from './operators.ts';
import { teamsDashboard } from './teams.ts';

function fileOf(builder: DashboardBuilder): string {
  const dashboard = builder.build();
  const panels = dashboard.panels?.map((panel, index) => ({ ...panel, id: index + 1 }));
  return `${JSON.stringify({ ...dashboard, panels }, null, 2)}\n`;
}

/** The files of Grafana's dashboards, by path. */
export const DASHBOARD_FILES: Readonly<Record<string, () => string>> = {
  'deploy/monitoring/dashboards/operators.json': () => fileOf(operatorsDashboard()),
  'deploy/monitoring/dashboards/teams.json': () => fileOf(teamsDashboard()),
};

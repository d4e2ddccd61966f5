import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  type Panel,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';

interface About {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
}

/** Panels by the title of their row. */
type Rows = Readonly<Record<string, readonly Builder<Panel>[]>>;

/** Returns a dashboard for any Prometheus that Grafana knows. */
export function dashboard({ uid, title, description }: About, rows: Rows): DashboardBuilder {
  const board = new DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['signalbox'])
    .readonly()
    .timezone('browser')
    .refresh('1m')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'));
  for (const [name, panels] of Object.entries(rows)) {
    board.withRow(new RowBuilder(name));
    for (const panel of panels) board.withPanel(panel);
  }
  return board;
}

import { plotCharts } from '../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../record/report/report.ts';
import type { ReportData } from '../../record/report/report-data.ts';

/** Pages as HTML. The published package has this and the libraries that it needs in a file of their own. */

export { periodPageOf as renderPeriod } from '../../record/report/period/period-page.ts';

export const renderReport = (data: ReportData): string => reportOf(data, plotCharts());

import { plotCharts } from '../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../record/report/report.ts';
import type { ReportData } from '../../record/report/report-data.ts';

/** Returns a report as HTML. The published package has this and the libraries that it needs in a file of their own. */
export const renderReport = (data: ReportData): string => reportOf(data, plotCharts());

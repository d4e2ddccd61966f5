export interface JobName {
  readonly name: string;
  readonly namespace: string;
}

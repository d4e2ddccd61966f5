export { customResourceDefinitions } from '../../../frameworks/schemas/custom-resources.ts';

// One of several gateway processes of the demo (GATEWAYS).
import { runGatewayProcess } from '../../src/app/gateways/worker.ts';
import { MANUAL_TASKS } from './manual-tasks.ts';

runGatewayProcess(process.env, { manualTasks: MANUAL_TASKS });

import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import type { StepMetrics } from '../ops/metrics/steps.js';

/** Reports the end of each activity to the metrics. */
export const countSteps =
  (metrics: StepMetrics): ActivityInterceptorsFactory =>
  ({ info: { activityType } }) => ({
    inbound: {
      async execute(input, next) {
        try {
          const result = await next(input);
          metrics.succeeded(activityType, input.args[0], result);
          return result;
        } catch (error) {
          metrics.failed(error);
          throw error;
        }
      },
    },
  });

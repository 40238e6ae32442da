export { booking } from './booking.js';
export { processorOnboarding } from './processor-onboarding.js';
export { refund } from './refund.js';
export { selfHeal } from './self-heal.js';
export { verifyPayment } from './verify-payment.js';

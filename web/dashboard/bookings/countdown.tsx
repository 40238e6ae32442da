/** The time left until an instant. The dashboard's script counts it down. */
export function Countdown({ until }: { until: Date }) {
  const seconds = Math.max(0, Math.round((until.getTime() - Date.now()) / 1000));
  const text =
    seconds === 0 ? 'over' : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} left`;
  return (
    <span class="countdown" data-until={until.toISOString()}>
      {text}
    </span>
  );
}

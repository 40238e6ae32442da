// A click opens the drawer; with a modifier key it stays a link.
{
  const { open, openBooking } = window.desk;

  document.addEventListener('click', (event) => {
    const link = event.target.closest('a.slot, .calendar a.free, .agenda .free a, .title > a.button');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.matches('.slot')) openBooking(link.pathname);
    else open(link.href, 'main form.card');
  });

  const print = document.querySelector('#print');
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}

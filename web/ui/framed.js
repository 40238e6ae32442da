// Tells the site whose frame shows this page how high it is. Only sites that the policy of
// this page names can be it.
if (parent !== window) {
  document.documentElement.classList.add('framed');
  const tell = () =>
    parent.postMessage({ holdfastHeight: Math.ceil(document.body.getBoundingClientRect().height) }, '*');
  new ResizeObserver(tell).observe(document.body);
}

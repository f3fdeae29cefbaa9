/** "Your turn", for a tab in the background: the title, the icon, a tone, and a notification with this tag. */
function alertsOf(tag) {
  const icon = document.querySelector("link[rel=icon]"), plainIcon = icon.href;
  const turnIcon = plainIcon.replace("cf7b4f", "0068b0");
  let title = document.title, isCalling = false;

  function name(text) {
    title = text;
  }
  /** Call while `isMine`; sound and notification come once. */
  function call(isMine) {
    setText(document.querySelector("title"), isMine ? `Your turn – ${title}` : title);
    set(icon, "href", isMine ? turnIcon : plainIcon);
    if (isMine && !isCalling) for (const alert of [chime, notify]) {
      try { alert(); } catch (error) { console.warn(error); } // as in Chrome for Android, which refuses the constructor
    }
    isCalling = isMine;
  }
  function notify() {
    if (!document.hidden || !mayNotify() || !$("alerts").checked) return;
    new Notification("Catan: your turn", { body: $("ask").textContent, tag });
  }
  let sound = null;
  /** A short tone, only where the player has switched sounds on. */
  function chime() {
    if (!$("sounds").checked) return;
    sound ??= new AudioContext();
    const tone = sound.createOscillator(), volume = sound.createGain(), at = sound.currentTime;
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(.12, at);
    volume.gain.exponentialRampToValueAtTime(.001, at + .35);
    tone.connect(volume).connect(sound.destination);
    tone.start(at);
    tone.stop(at + .35);
  }
  const mayNotify = () => window.Notification?.permission === "granted";
  /** Browsers allow notifications only where the person agrees, and only on pages by HTTPS or of their own machine. */
  async function askForAlerts() {
    const answer = await window.Notification?.requestPermission();
    if (answer === "granted") return;
    $("alerts").checked = false;
    store("catan-alerts", "no");
    $("noted").textContent = "This browser allows no notifications from this page.";
  }
  for (const kind of ["sounds", "alerts"]) {
    $(kind).checked = stored(`catan-${kind}`) === "yes" && (kind === "sounds" || mayNotify());
    $(kind).onchange = () => {
      store(`catan-${kind}`, $(kind).checked ? "yes" : "no");
      if (kind === "alerts" && $(kind).checked) askForAlerts();
      if (kind === "sounds") chime();
    };
  }
  return { name, call, isCalling: () => isCalling };
}

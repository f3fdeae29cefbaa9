
window.replay = openPage(JSON.parse(document.getElementById("data").textContent));

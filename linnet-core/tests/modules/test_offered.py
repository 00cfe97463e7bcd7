"""What a standard library offers: its public items, whatever else is in the directory."""

from __future__ import annotations

from linnet_core.modules.offered import offered_by_std


def test_public_items_lead_to_their_modules(tmp_path):
    (tmp_path / "nn").mkdir()
    (tmp_path / "a.linnet").write_text("module std.a\npub fn shown() -> f32 { return 1.0 }\nfn hidden() -> f32 { return 1.0 }\n")
    (tmp_path / "nn" / "b.linnet").write_text("module std.nn.b\npub block Shown { }\npub fn shown() -> f32 { return 2.0 }\n")
    assert offered_by_std(str(tmp_path)) == {"shown": "std.a", "Shown": "std.nn.b"}


def test_a_broken_file_offers_what_is_left_of_it(tmp_path):
    (tmp_path / "a.linnet").write_text("module std.a\npub fn broken( -> f32 { return }\npub fn whole() -> f32 { return 1.0 }\n")
    (tmp_path / "b.linnet").write_bytes(b"\xff\x00\xff")
    (tmp_path / "c.linnet").symlink_to(tmp_path / "nowhere")
    assert offered_by_std(str(tmp_path))["whole"] == "std.a"


def test_no_directory_offers_nothing(tmp_path):
    assert offered_by_std(str(tmp_path / "nowhere")) == {}

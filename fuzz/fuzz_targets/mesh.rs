//! The mesh reader: any bytes are a mesh or an error, and a mesh is closed and convex or says why not.
#![no_main]

use carom_gap::geometry::{Mesh, MeshUse, Unit};
use libfuzzer_sys::fuzz_target;

// The first byte chooses the format.
fuzz_target!(|bytes: &[u8]| {
    let Some((format, bytes)) = bytes.split_first() else {
        return;
    };
    let mesh = match format & 1 {
        0 => Mesh::from_obj(bytes, "fuzz", Unit::Meter),
        _ => Mesh::from_stl(bytes, "fuzz", Unit::Millimeter),
    };
    let Ok(mesh) = mesh else { return };
    if let Ok(mass) = mesh.mass_properties() {
        assert!(mass.volume > 0.0);
    }
    if let Ok(parts) = mesh.parts(&MeshUse::Hull) {
        assert!(parts.volume > 0.0 && parts.parts.len() == 1);
    }
});
